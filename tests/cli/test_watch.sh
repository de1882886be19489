#!/bin/sh
# muybridge watch: a file that is saved is solved anew and told to the page, errors with their line while the last
# motion stays, includes and styles; a server that ends when told to. Nothing here looks at how long it takes.
. "${srcdir:-.}/tests/cli/expect.sh"
case $program in /*) ;; *) program=$PWD/$program ;; esac
case $srcdir in /*) ;; *) srcdir=$PWD/$srcdir ;; esac
unset MUYBRIDGE_PATH
cd "$scratch" || exit 99
mkdir stage
echo '<script type="application/json" id="stage-data">{}</script>' > stage/page.html
printf '\000asm' > stage/stage.wasm
cp "$srcdir/creatures/biped.creature" body.inc
echo 'include("body.inc")' > my.creature
cp "$srcdir/styles/tired.style" my.style

# ---- refusals ----
expect 2 '^muybridge watch: name a creature, and perhaps one of its gaits or a task$' "$program" watch
expect 2 '^hop: error: this is neither a gait of biped (walk, run) nor a task$' "$program" watch my.creature hop
expect 2 'there is no creature of this name' "$program" watch nobody
expect 2 '^nobody.creature: error: cannot read this file' "$program" watch nobody.creature
expect 2 '^nobody.style: error: cannot read this file' "$program" watch my.creature --style nobody.style
expect 2 '^nobody.task: error: this is neither a gait of biped (walk, run) nor a task$' \
  "$program" watch my.creature nobody.task
echo 'name =' > bad.creature
expect 2 '^nobody.style: error: cannot read this file' "$program" watch bad.creature --style nobody.style
expect 2 '^nobody.task: error: there is no such task$' "$program" watch bad.creature nobody.task
expect 2 'clips: expected a number' "$program" watch my.creature --clips 0
if ! command -v bash > /dev/null; then
  echo 'no bash: nothing listens to the server'
  finish
  exit
fi

# ---- saved, broken, mended ----
until_has() { # FILE PATTERN COUNT: so many lines; gives up after a minute, which is then a failure
  checks=$((checks + 1))
  for i in $(seq 120); do
    n=$(grep -c -- "$2" "$1" 2> /dev/null)
    [ "${n:-0}" -ge "$3" ] && return
    sleep 0.5
  done
  fail "$1 has not $3 times: $2"
  cat "$1" log err
}
cat > ask.sh << 'TEXT'
exec 3<> "/dev/tcp/127.0.0.1/$1" && printf 'GET %s HTTP/1.1\r\nHost: localhost:%s\r\n\r\n' "$2" "$1" >&3 && exec cat <&3
TEXT
server='' listener=''
trap 'kill $server $listener 2> /dev/null; rm -rf "$scratch"' EXIT
start() { # ARGUMENT...: a server, and one who listens to its events
  "$program" watch "$@" --no-open > log 2> err &
  server=$!
  until_has log '^http' 1
  address=$(sed -n 's|^http://127.0.0.1:||p' log) port=${address%%/*} token=${address#*=}
  bash ask.sh "$port" "/events?token=$token" > events &
  listener=$!
  until_has events '^retry' 1
}
start my.creature walk --style my.style
expect 0 "\"live\": \"$token\.[0-9]*\"" bash ask.sh "$port" "/?token=$token"

sed -i 's/-0\.259}/-0.272}/' body.inc # an included file, replaced
until_has events '^event: package' 1
until_has events '^event: good' 1
url=$(sed -n 's/^data: {"url": "\(.*\)"}.*/\1/p' events | tail -1)
expect 0 'MUYSTAGE' bash ask.sh "$port" "/$url"

sed 's/^body_mass = .*/body_mass = heavy/' body.inc > broken
line=$(grep -n '^body_mass = heavy' broken | cut -d: -f1)
cat broken > body.inc # in place
until_has events '^event: error' 1
until_has events "^data: {\"messages\": \[{\"file\": \"body.inc\", \"line\": $line, \"text\": \"body_mass.*heavy" 1
until_has err "^body.inc:$line: error: " 1
expect 0 'MUYSTAGE' bash ask.sh "$port" "/$url" # the last good motion is still there
expect 0 '"bytes": "' bash ask.sh "$port" "/?token=$token"

before=$(grep -c '^event: package' events)
sed 's/-0\.259}/-0.265}/' "$srcdir/creatures/biped.creature" > body.inc
until_has events '^event: package' $((before + 1))
until_has events '^event: good' 2

before=$(grep -c '^event: package' events)
cp "$srcdir/styles/proud.style" my.style
until_has events '^event: package' $((before + 1))
until_has events '^event: good' 3

kill "$server" "$listener"
wait "$server"
status=$?
checks=$((checks + 1))
[ $status -eq 0 ] || fail "a server that is told to end does not end well: status $status"

# ---- files that are broken already: the page is there, and waits ----
echo 'no_such_key = 1' > bad.style
start bad.creature walk --style bad.style
until_has err '^bad.creature:2: error: ' 1
until_has events '^data: {"messages": \[{"file": "bad.creature", "line": 2, "text": "' 1
expect 0 '"packages": \[\]' bash ask.sh "$port" "/?token=$token"
cp "$srcdir/creatures/biped.creature" bad.creature
until_has events '^data: {"messages": \[{"file": "bad.style", "line": 1, "text": "' 1
cp "$srcdir/styles/tired.style" bad.style
until_has events '^event: package' 1
until_has events '^event: good' 1
expect 0 '"bytes": "' bash ask.sh "$port" "/?token=$token"
kill "$server" "$listener"
wait "$server"

# ---- a task: a controller is built, and its clips are solved anew ----
echo 'no_such_key = 1' > my.task
cp "$srcdir/creatures/biped.creature" my.creature
TMPDIR=$scratch/tmp && export TMPDIR && mkdir "$TMPDIR"
"$program" watch my.creature my.task --clips 3 --no-open > log 2> err &
server=$!
until_has log '^http' 1
until_has err '^my.task:1: error: .*no_such_key' 1
cp "$srcdir/tasks/direction.task" my.task
until_has log 'direction: [0-9]* clips, built from nothing' 1
until_has log 'direction: [0-9]* clips, with physics' 1
sed -i 's/-0\.259}/-0.272}/' my.creature
until_has log 'direction: [0-9]* clips, [0-9]* solved anew' 1
until_has log 'direction: [0-9]* clips, with physics' 2
echo 'no_such_key = 1' >> my.task
until_has err "^my.task:[0-9]*: error: .*no_such_key" 2
cp "$srcdir/tasks/direction.task" my.task
until_has log 'direction: [0-9]* clips, as before' 1
kill "$server"
wait "$server"
status=$?
checks=$((checks + 2))
[ $status -eq 0 ] || fail "a server that is told to end does not end well: status $status"
[ -z "$(ls "$TMPDIR")" ] || fail "it leaves $(ls "$TMPDIR")"
finish
