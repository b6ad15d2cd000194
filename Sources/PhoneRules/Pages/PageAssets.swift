/// The style and the script of every page, served under `/r/`.
package enum PageAssets {
    package static let style: [UInt8] = Array(styleText.utf8)
    /// The script without indentation, which browsers do not need.
    package static let script: [UInt8] = Array(
        scriptText.split(separator: "\n").map { String($0.drop { $0 == " " }) }.joined(separator: "\n").utf8)

    private static let styleText = """
        :root{color-scheme:light dark;--ink:#111;--paper:#fff;--soft:#eef3f1;--line:#5f6b67;--act:#0a4a38;--on:#fff;--bad:#8a0f0f}
        @media(prefers-color-scheme:dark){:root{--ink:#f2f2f2;--paper:#121514;--soft:#1d2422;--line:#a3b0ab;--act:#9fdcc4;--on:#06140f;--bad:#ffb9b0}}
        *{box-sizing:border-box}[hidden]{display:none!important}
        body{margin:0 auto;padding:.5rem 1rem 3rem;max-width:44rem;font:1.05rem/1.5 system-ui,sans-serif;
        color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
        h1{font-size:1.5rem;margin:.6rem 0}h2{font-size:1.15rem;margin:1.4rem 0 .4rem}
        nav,nav div{display:flex;flex-wrap:wrap;gap:.3rem;padding:4px}
        nav details[open]{flex-basis:100%}
        nav summary{padding:.5rem .7rem;border:1px dashed var(--line);border-radius:.5rem}
        nav a,button,input,select,textarea,summary{min-height:44px;min-width:44px}
        nav a{flex:0 1 auto;display:inline-flex;align-items:center;padding:0 .7rem;border:1px solid var(--line);
        border-radius:.5rem;color:inherit;text-decoration:none}
        nav a[aria-current]{background:var(--act);color:var(--on);font-weight:bold;text-decoration:underline}
        main a{display:inline-flex;align-items:center;min-height:44px;min-width:44px;color:var(--act)}
        form{margin:.4rem 0}
        label{display:block;margin:.6rem 0}label span{display:block;margin-bottom:.2rem}
        label.box{display:flex;align-items:center;gap:.6rem;min-height:44px;margin:0}
        input,select,textarea{width:100%;font:inherit;color:inherit;
        background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:.5rem}
        label.box input{width:1.5rem;min-width:1.5rem;min-height:1.5rem}
        fieldset{border:1px solid var(--line);border-radius:.5rem;margin:.6rem 0}
        button{font:inherit;font-weight:bold;padding:.4rem 1rem;
        color:var(--on);background:var(--act);border:1px solid var(--act);border-radius:.5rem}
        li button,td button,.ways button{color:var(--act);background:none}
        :focus-visible{outline:3px solid var(--act);outline-offset:2px}
        .row{display:flex;flex-wrap:wrap;gap:.5rem;margin:.8rem 0}.row form{margin:0}
        .next{font-size:1.5rem;font-weight:bold;margin:.2rem 0}
        .state,.done,.problem{padding:.5rem .8rem;border-inline-start:.4rem solid var(--act);background:var(--soft)}
        .problem{border-color:var(--bad)}.problem p::before,p.problem::before{content:"⚠ "}
        [aria-invalid]{border:3px solid var(--bad)}label strong,fieldset strong{color:var(--bad)}#here{scroll-margin-top:40vh}
        .wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
        table{font-size:.95rem}td::first-letter{text-transform:uppercase}td form{margin:0}td button{padding:.4rem .6rem}
        th,td{text-align:start;padding:.4rem .2rem;border-bottom:1px solid var(--line);overflow-wrap:normal}
        @media(max-width:26rem){body{padding-inline:.5rem}table{font-size:.8rem}th,td{padding:.4rem .1rem}}
        ul{list-style:none;padding:0;margin:0}li{padding:.4rem 0;border-bottom:1px solid var(--line)}li p{margin:.2rem 0}
        summary{padding:.6rem 0;font-weight:bold}.qr{width:100%;max-width:20rem}
        """

    /// The script, without which everything still works. It reads the key from a QR code's address, converts digits of other
    /// scripts for the code, reloads the first page, fills in a network's name, shows a password, refuses a file that is too
    /// large before it is sent, and converts any picture to JPEG.
    private static let scriptText = """
        "use strict";
        const pair = document.getElementById("pair");
        if (pair) {
            const code = pair.elements.code;
            const take = () => {
                const key = location.hash.slice(1);
                if (!/^[0-9a-f]{32}$/.test(key)) return;
                pair.elements.key.value = key;
                for (const part of document.querySelectorAll("#pair-help,main .problem,[name=code]")) (part.closest("label") || part).hidden = true;
                history.replaceState(null, "", location.pathname);
                pair.elements.name.focus();
            };
            take();
            addEventListener("hashchange", take);
            if (code) code.addEventListener("input", () => {
                code.value = code.value.replace(/[\\u0660-\\u0669\\u06f0-\\u06f9]/g, (d) => d.charCodeAt(0) & 15)
                    .replace(/[\\u09e6-\\u09ef]/g, (d) => d.charCodeAt(0) - 0x9e6).replace(code.maxLength > 6 ? "" : /\\D/g, "");
            });
        }
        const state = document.querySelector("main > .next");
        if (state && location.pathname === "/r/") {
            let before;
            setInterval(async () => {
                if (document.hidden || document.activeElement.matches("input,select")) return;
                try {
                    const answer = await fetch("/r/now.json");
                    if (!answer.ok) return;
                    const now = await answer.json();
                    const mark = JSON.stringify([now.next && [now.next.prayer, now.next.time], now.mute, now.playback, now.heard]);
                    if (before !== undefined && before !== mark) location.reload();
                    before = mark;
                } catch { }
            }, 5000);
        }
        for (const name of document.querySelectorAll("[data-ssid]")) {
            name.hidden = false;
            name.addEventListener("click", () => { name.form.elements.ssid.value = name.value; });
        }
        for (const box of document.querySelectorAll("[data-shows]")) {
            const field = box.form.elements[box.dataset.shows];
            box.closest("label").hidden = false;
            box.addEventListener("change", () => { field.type = box.checked ? "text" : "password"; });
            box.form.addEventListener("submit", () => { field.type = "password"; });
        }
        for (const input of document.querySelectorAll("input[data-most]")) {
            input.addEventListener("change", () => {
                const file = input.files[0];
                input.setCustomValidity(file && file.size > input.dataset.most ? input.dataset.large : "");
                input.reportValidity();
            });
        }
        for (const input of document.querySelectorAll('input[accept="image/*"]')) {
            input.addEventListener("change", async () => {
                const file = input.files[0];
                if (!file || /^image\\/(jpeg|png)$/.test(file.type) && file.size <= 4000000) return;
                const picture = await createImageBitmap(file);
                const scale = Math.min(1, 1920 / Math.max(picture.width, picture.height));
                const canvas = document.createElement("canvas");
                canvas.width = Math.round(picture.width * scale);
                canvas.height = Math.round(picture.height * scale);
                canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
                canvas.toBlob((jpeg) => {
                    const list = new DataTransfer();
                    list.items.add(new File([jpeg], "picture.jpg", { type: "image/jpeg" }));
                    input.files = list.files;
                }, "image/jpeg", 0.85);
            });
        }
        """
}
