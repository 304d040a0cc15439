#include "ReusePoolNote.h"
