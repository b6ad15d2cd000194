#pragma once
#include <stddef.h>

// The list of places (Resources/gazetteer), laid into the program by places.S.
extern const unsigned char adhand_places_begin;
extern const unsigned char adhand_places_end;

static inline const unsigned char *_Nonnull adhand_places(void) { return &adhand_places_begin; }
static inline size_t adhand_places_count(void) { return (size_t)(&adhand_places_end - &adhand_places_begin); }
