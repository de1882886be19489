# What write_turtle prints, by the Python module.
import sys

import muybridge_player

turtle = muybridge_player.Controller(sys.argv[1])
player = muybridge_player.Player(turtle)
player.set(direction=2)
for _ in range(100):
    player.advance(1 / 60)
for bone, (at, turn) in zip(turtle.bones, player.bones()):
    parent = turtle.bones[bone.parent].name if bone.parent >= 0 else "none"
    print(bone.name, parent, *("%.9f" % x for x in at + turn))
assert len(player.pose()) == len(turtle.dof_names) == 7 and len(player.forces()) == len(player.contacts()) == 2
player.set(mood="hasty")
for wrong in ({"gait": 1}, {"mood": "sad"}, {"direction": float("nan")}):
    try:
        player.set(**wrong)
        print("set took", wrong)
    except (KeyError, ValueError):
        pass
