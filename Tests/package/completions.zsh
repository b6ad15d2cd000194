# Tab pressed in an interactive zsh, as the installed completions answer it. usage: zsh -f completions.zsh
zmodload zsh/zpty
failures=0

# becomes WANTED TYPED: the line that is there after Tab
becomes() {
    local said= part
    zpty -b shell zsh -f -i
    zpty -w shell 'PS1=; stty -echo columns 200; autoload -Uz compinit; compinit -D -u; print REA""DY'
    repeat 200; do
        while zpty -r -t shell part; do said+=$part; done
        [[ $said == *READY* ]] && break
        sleep 0.05
    done
    said=
    zpty -n -w shell "$2"$'\t'
    repeat 200; do
        while zpty -r -t shell part; do said+=$part; done
        [[ $said == *$1* ]] && break
        sleep 0.05
    done
    zpty -d shell
    [[ $said == *$1* ]] && return
    print -r -- "zsh: \"$2\" becomes \"${(V)said}\", not \"$1\""
    failures=$((failures + 1))
}

becomes 'adhanctl mute ' 'adhanctl mu'
becomes 'adhanctl sound remove standard-ar ' 'adhanctl sound remove standard-'
becomes 'adhanctl sound play standard --prayer fajr ' 'adhanctl sound play standard --prayer f'
becomes 'adhanctl times --timezone Asia/Kuala_Lumpur ' 'adhanctl times --timezone Asia/Kua'
becomes 'adhand --config ' 'adhand --conf'
exit $((failures > 0))
