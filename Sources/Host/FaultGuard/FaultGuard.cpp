#include "FaultGuard.h"
