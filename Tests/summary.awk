# Passes the output of the tests on. At the end it repeats the failures and names the ten slowest tests, just before the
# closing line of the last run: in a long log both are hard to find.
/^(✔|✘) Test .* (passed|failed) after [0-9.]+ seconds/ && !/Test run with/ {
  seconds = $0
  sub(/.* after /, "", seconds)
  sub(/ seconds.*/, "", seconds)
  name = $0
  sub(/^(✔|✘) Test /, "", name)
  sub(/ (passed|failed) after .*/, "", name)
  for (place = slowest < 10 ? ++slowest : 10; place > 1 && times[place - 1] < seconds + 0; place--) {
    times[place] = times[place - 1]; names[place] = names[place - 1]
  }
  if (times[place] < seconds + 0) { times[place] = seconds + 0; names[place] = name }
}
/^✘ Test run with/ {
  print ""
  print "What failed:"
  for (i = 1; i <= count; i++) print failed[i]
  print ""
}
# The closing line of pytest, if it failed.
/^[0-9]+ failed.* in [0-9.]+s/ || /^[0-9]+ error.* in [0-9.]+s/ {
  if (closing != "") print closing
  closing = $0
  next
}
/recorded an issue/ { failed[++count] = $0; detail = 1 }
/^(↳|[ \t]+↳)/ && detail { failed[++count] = $0 }
!/recorded an issue|↳/ { detail = 0 }
# The closing line of each run waits, since only the last one is last.
/^(✔|✘) Test run with/ {
  if (closing != "") print closing
  closing = $0
  next
}
{ print; fflush() }
END {
  if (slowest) print "\nThe ten slowest tests:"
  for (place = 1; place <= slowest; place++) printf "%8.1f s  %s\n", times[place], names[place]
  print ""
  if (closing != "") print closing
}
