#!/bin/sh
# Pages of run files: options, statuses, texts; the data in the page, which no name can break out of; a page that is
# served, to who knows the token. The page here is a small template: that of the stage has tests of its own.
. "${srcdir:-.}/tests/cli/expect.sh"
case $program in /*) ;; *) program=$PWD/$program ;; esac
case $srcdir in /*) ;; *) srcdir=$PWD/$srcdir ;; esac
unset MUYBRIDGE_PATH
holds() { # FILE TEXT: once
  checks=$((checks + 1))
  n=$(grep -c -F -- "$2" "$1")
  [ "$n" -eq 1 ] || fail "$n lines of $1 have: $2"
}
lacks() { # FILE TEXT
  checks=$((checks + 1))
  ! grep -q -F -- "$2" "$1" || fail "$1 has: $2"
}
cd "$scratch" || exit 99
expect 0 '' "$program" gait "$srcdir/creatures/biped.creature" walk -q -o biped.muy
expect 0 '' "$program" gait "$srcdir/creatures/strider.creature" walk -q -o strider.muy
expect 0 '' "$program" gait "$srcdir/creatures/strider.creature" run -q -o strider.muy

# ---- without the parts of the stage ----
mkdir beside
cp "$program" beside/muybridge
cat > expected << TEXT
page: error: there is no page of the stage of this name: 'make stage' makes it; looked for page.html in
  stage
  $scratch/beside/stage
TEXT
checks=$((checks + 1))
echo 'this is no page of ours' > page.html # in the working folder: nobody's business
beside/muybridge view biped.muy -o x.html > out 2> err
[ $? -eq 2 ] || fail 'a page without its parts'
head -3 err | cmp -s - expected || fail "another message: $(cat err)"
[ ! -e x.html ] || fail 'a page was written'

# ---- a page of clips ----
mkdir stage
cat > stage/page.html << 'TEXT'
<!DOCTYPE html>
<title>stage</title>
<script type="application/json" id="stage-data">{}</script>
<script>"the end"</script>
TEXT
printf '\000asm\001\000\000\000' > stage/stage.wasm
expect 0 '^wrote page.html, 0\.[0-9]* MB; open it in a browser$' "$program" view biped.muy -o page.html
expect 0 '^biped: 1 clip, 0\.[0-9]* MB$' "$program" view biped.muy -o page.html
holds page.html '{"packed": true, "live": null, "settings": {}, "wasm": "'
holds page.html '"packages": [{"name": "biped", "bytes": "'
holds page.html '<script>"the end"</script>'
lacks page.html "$scratch"
expect 0 '' "$program" view biped.muy -q -o again.html
checks=$((checks + 1))
cmp -s page.html again.html || fail 'the same run file is another page'
expect 0 '' "$program" view biped.muy strider.muy -q -o two.html
holds two.html '"name": "biped"'
holds two.html '"name": "strider"'
expect 0 '^strider: 2 clips' "$program" view strider.muy -o all.html
expect 0 '^strider, run: 1 clip,' "$program" view strider.muy:run -o one.html
expect 0 '' "$program" view biped.muy -q --title '</script><b>&"' -o title.html
holds title.html '"settings": {"title": "\u003c/script>\u003cb>&\""}'
lacks title.html '</script><b>'

# what is in it, as a browser would read it, where there is a node
if command -v node > /dev/null; then
  cat > look.js << 'TEXT'
const text = require("fs").readFileSync(process.argv[2], "utf8"), zlib = require("zlib");
const data = JSON.parse(/id="stage-data">(.*?)<\/script>/s.exec(text)[1]);
const unpack = (t) => zlib.inflateRawSync(Buffer.from(t, "base64"));
console.log(unpack(data.wasm).toString("hex"), data.packages.map((p) => p.name + " " +
  unpack(p.bytes).subarray(0, 8).toString() + " " + unpack(p.bytes).includes("NOTE")).join());
TEXT
  expect 0 '^0061736d01000000 biped MUYSTAGE true,strider MUYSTAGE true$' node look.js two.html
fi

# ---- a controller, and a control graph ----
expect 0 'controller' "$program" policy biped.muy "$srcdir/tasks/direction.task"
expect 0 '^biped: controller for direction, 1 clip, ' "$program" view biped.muy -o page.html
expect 0 '^biped: 1 clip, ' "$program" view biped.muy --clips-only -o page.html
expect 0 '' "$program" view biped.muy --controller 1 -q -o page.html
expect 2 'controller' "$program" view biped.muy --controller 7 -o x.html
expect 0 'learned by lqr' "$program" control biped.muy
expect 0 '^biped: physics, controller for direction, 1 clip, ' "$program" view biped.muy -o page.html
expect 0 '^biped: controller for direction, 1 clip, ' "$program" view biped.muy --no-control -o page.html
expect 0 '' "$program" transition biped.muy 1:0 1:20 -q
expect 0 "^biped.muy: warning: its control graph is left out, as it does not fit its clips (.*); 'muybridge control' \
learns it anew$" "$program" view biped.muy -o page.html

# ---- a report that links to such a page ----
mkdir told
expect 0 '^wrote told/report.html$' "$program" report biped.muy -o told/report.html --stage 'told/the stage.html'
holds told/report.html '<a href="./the%20stage.html">Play with it</a>: steer the creature'
holds 'told/the stage.html' '"name": "biped"'
expect 2 "stage and --output name the same file, 'x.html'" "$program" report biped.muy -o x.html --stage x.html
expect 2 'would be lost' "$program" report biped.muy -o x.html --stage biped.muy

# ---- refusals ----
expect 2 '^muybridge view: name 1 to 64 run files, found 0$' "$program" view
expect 2 'this is no run file' "$program" view "$srcdir/creatures/horse.creature" -o x.html
expect 2 'cannot open this run file' "$program" view none.muy -o x.html
expect 2 'no clip' "$program" view strider.muy:gallop -o x.html
expect 2 'would be lost' "$program" view biped.muy -o strider.muy
expect 2 'with --output nothing is served: --port goes without it' "$program" view biped.muy -o x.html --port 8000
expect 2 "port: expected a number from 1 to 65535, found '0'" "$program" view biped.muy --port 0
expect 1 'cannot write no/x.html' "$program" view biped.muy -o no/x.html
echo '<p>' > stage/page.html
expect 2 'must have the line .*stage-data.* once, and has it not at all' "$program" view biped.muy -o x.html
checks=$((checks + 1))
[ ! -e x.html ] || fail 'a page was written after an error'

# ---- served ----
echo '<script type="application/json" id="stage-data">{}</script>' > stage/page.html
"$program" view strider.muy --no-open > served 2> err &
server=$!
trap 'kill $server 2> /dev/null; rm -rf "$scratch"' EXIT
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  grep -q '^http' served && break
  sleep 0.5
done
address=$(sed -n 's|^http://127.0.0.1:||p' served) port=${address%%/*} path=/${address#*/}
checks=$((checks + 1))
case $path in /?token=????????????????????????????????) ;; *) fail "no address: $(cat served err)" ;; esac
if command -v bash > /dev/null; then
  cat > ask.sh << 'TEXT'
exec 3<> "/dev/tcp/127.0.0.1/$1" && printf 'GET %s HTTP/1.1\r\nHost: %s\r\n\r\n' "$2" "$3" >&3 && cat <&3
TEXT
  expect 0 '"packed": true, "live": null' bash ask.sh "$port" "$path" "127.0.0.1:$port"
  expect 0 '^HTTP/1.1 403' bash ask.sh "$port" / "127.0.0.1:$port"
  expect 0 '^HTTP/1.1 403' bash ask.sh "$port" "$path" "example.org:$port"
  expect 1 "cannot serve a page on port $port of this machine" "$program" view strider.muy --port "$port"
fi
kill "$server"
wait "$server"
status=$?
checks=$((checks + 1))
[ $status -eq 0 ] || fail 'a server that is told to end does not end well'
finish
