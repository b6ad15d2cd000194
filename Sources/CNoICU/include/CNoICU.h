#pragma once
// Nothing to call: see tables.c.
