# Passes the tests' output on, and says once more what failed, just before the closing line: in a long log nobody finds it.
/^✘ Test run with/ {
  print ""
  print "What failed:"
  for (i = 1; i <= count; i++) print failed[i]
  print ""
}
/recorded an issue/ { failed[++count] = $0; detail = 1 }
/^(↳|[ \t]+↳)/ && detail { failed[++count] = $0 }
!/recorded an issue|↳/ { detail = 0 }
{ print; fflush() }
