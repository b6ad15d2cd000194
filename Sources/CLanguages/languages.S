/* The build does not know that these files are read: whoever changes a table raises this number, so that it is assembled again. 14 */
    .macro language code
    .asciz "\code"
    .incbin "\code\().json"
    .byte 0
    .endm

    .section .rodata.adhand_languages, "a"
    .globl adhand_languages_begin
    .globl adhand_languages_end
adhand_languages_begin:
    language ar
    language bn
    language bs
    language de
    language en
    language es
    language fa
    language fr
    language ha
    language id
    language it
    language ms
    language nl
    language pt
    language ru
    language so
    language sq
    language sw
    language tr
    language ur
    language uz
adhand_languages_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
