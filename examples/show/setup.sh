#!/usr/bin/env bash
# Loads the show into a motiond that runs: limits and groups, the patch, three scenes, and the list of cues.
#
# setup.sh [PATCH]: another patch than rig.patch. motionctl is the one in PATH; MOTIOND_RUNTIME_DIR says which motiond.
#
# Time is paused while the looks are saved: each is committed, stepped until it rests, and kept as a scene. Lamps of an
# earlier setup are let go before, so that they do not show that; at the end they get the new patch, in the dark.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
motionctl remove rig --from rig > /dev/null 2>&1 || true
motionctl commit "$here/rig.json"
motionctl pause
trap 'motionctl resume' EXIT
for look in dance dusk night; do
  motionctl commit "$here/looks/$look.json"
  motionctl step 600 --timeout 60s
  motionctl scene save $look 'lamp{1..12},head'
  if [ $look = dance ]; then
    motionctl remove chase --from 'lamp{1..12}'
    motionctl remove sway --from head
    motionctl remove nod --from head
  fi
done
motionctl add SpringTo --to 'lamp{1..12},head' property=level destination=0
motionctl step 600 --timeout 60s
motionctl add SendDMX --to rig --named rig "patch=@${1:-$here/rig.patch}"
motionctl cue load "$here/cues.json"
