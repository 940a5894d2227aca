#include <qrencode.h>

// The library is not linked, for one option of one command needs it: these are the types of what is looked up in it.
typedef __typeof__(&QRcode_encodeString) qrencode_encode_string;
typedef __typeof__(&QRcode_free) qrencode_free;
