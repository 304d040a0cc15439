#include "WorkerWire.h"
