#include "FirstFrameNote.h"
