#include "CNoICU.h"

// GRDB imports the whole of Foundation, whose static archive has 33 MB of ICU's tables of languages and calendars in one member.
// The companion asks nothing of ICU. The linker takes that member only while nobody else has its symbol, so a released program gets
// this in its place: no table, which ICU answers with an error. A toolchain with another number makes a larger program and no
// other difference. In programs that share Foundation with others the symbol would be theirs too, so it is not made there.
#ifdef ADHAND_STATIC
#define NO_TABLE(version) const unsigned char icudt##version##_dat[64] = {0}
NO_TABLE(74);
NO_TABLE(76);
NO_TABLE(78);
#endif
