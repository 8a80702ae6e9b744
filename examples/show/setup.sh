#!/usr/bin/env bash
# Loads the show into a motiond that runs: limits and groups, the patch, three scenes, and the list of cues.
#
# setup.sh [PATCH]: another patch than rig.patch. motionctl is the one in PATH; MOTIOND_RUNTIME_DIR says which motiond.
#
# Time is paused while the looks are saved: each is committed, stepped until it rests, and kept as a scene.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
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
motionctl add SendDMX --to rig --named rig "patch=@${1:-$here/rig.patch}"
motionctl cue load "$here/cues.json"
