# Tab in fish, as the installed completions answer it. usage: fish completions.fish
set -g failures 0

# offers LINE WANTED...: what is offered at the end of the line, without the descriptions
function offers
    set -l said (complete -C "$argv[1]" | string replace -r '\t.*' '')
    test "$said" = "$argv[2..-1]"; and return
    echo "fish: \"$argv[1]\" offers \"$said\", not \"$argv[2..-1]\""
    set -g failures 1
end

offers 'adhanctl mu' mute
offers 'adhanctl mute --until m' maghrib
offers 'adhanctl sound play ' signal standard standard-ar
offers 'adhanctl sound play standard --prayer f' fajr
offers 'adhanctl times --timezone Asia/Kua' Asia/Kuala_Lumpur
# fish 4 also offers what has the letters in its midst.
offers 'adhand --audio' --audio-dir
exit $failures
