    .section .rodata.adhand_places, "a"
    .balign 16
    .globl adhand_places_begin
    .globl adhand_places_end
adhand_places_begin:
    .incbin "places.bin"
adhand_places_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
