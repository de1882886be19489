"""Plays controllers that muybridge made: the C player, libmuybridge-player, by ctypes.

    import muybridge_player
    horse = muybridge_player.Controller("horse.play")
    player = muybridge_player.Player(horse)
    player.set(direction=1.57)         # what is asked: headings in the world [rad]; gaits by name
    player.advance(1 / 60)             # seconds
    q = player.pose()                  # by horse.dof_names; or
    for bone, (at, turn) in zip(horse.bones, player.bones()):
        print(bone.name, at, turn)     # joint [m]; quaternion w, x, y, z

SI units and radians; x forward, y left, z up. muybridge-player.h says what each call does. MUYBRIDGE_PLAYER names
another library than the installed one."""
import ctypes
import ctypes.util
import math
import os
import sys
from ctypes import (POINTER, Structure, byref, c_char_p, c_double, c_float, c_int, c_longlong, c_size_t, c_ubyte,
                    c_void_p)

PARAMETERS_MOST, MEASURES_MOST = 8, 4
CIRCLE, INTERVAL, CATEGORY = range(3)
SOLIDS = None, "capsule", "box", "ellipsoid"


# ---- the structs of muybridge-player.h ----

def _struct(name, *fields):
    return type(name, (Structure,), {"_fields_": [field for group in fields for field in group]})


def _all(kind, *names):
    return [(name, kind) for name in names]


_Motion = _struct("_Motion", _all(c_double, "x", "y", "yaw"))
_Clip = _struct("_Clip", _all(c_char_p, "name"), _all(c_int, "n_frames", "cyclic"), _all(_Motion, "advance"),
                _all(POINTER(c_double), "q", "force"), _all(POINTER(c_ubyte), "contact"))
_Node = _struct("_Node", _all(c_int, "clip", "frame"))
_Features = _struct("_Features", _all(c_double, "direction", "torso", "speed", "effort"), _all(c_int, "gait"),
                    _all(c_double * MEASURES_MOST, "measured"))
_Segment = _struct("_Segment", _all(c_int, "origin", "to", "n_frames", "n_pieces"), _all(_Motion, "motion"),
                   _all(c_void_p, "pieces"), _all(POINTER(_Features), "features"), _all(POINTER(c_float), "values"))
_Parameter = _struct("_Parameter", _all(c_char_p, "name", "kind", "unit"),
                     _all(c_int, "space", "relative", "n_values"), _all(POINTER(c_double), "values"),
                     _all(POINTER(c_char_p), "categories"))
_Bone = _struct("_Bone", _all(c_char_p, "name"), _all(c_int, "parent", "first_dof", "n_dofs"),
                _all(c_double * 3, "at"), _all(c_int, "solid"), _all(c_double * 3, "centre"),
                _all(c_double * 4, "turn"), _all(c_double * 3, "size"))
_Controller = _struct("_Controller", _all(c_char_p, "creature"), _all(c_double, "dt"),
                      _all(c_int, "n_dofs", "n_points", "n_gaits", "n_clips", "n_nodes", "n_segments",
                           "n_parameters", "has_forces", "n_measures", "n_bones"),
                      _all(POINTER(_Bone), "bones"), _all(POINTER(c_double), "axes"),
                      _all(POINTER(c_char_p), "dof_names", "point_names", "gait_names"),
                      _all(POINTER(_Clip), "clips"), _all(POINTER(_Node), "nodes"),
                      _all(POINTER(_Segment), "segments"), _all(POINTER(_Parameter), "parameters"),
                      _all(c_size_t, "n_cells"), _all(POINTER(c_int), "first_segment"), _all(c_void_p, "memory"))
_Moment = _struct("_Moment", _all(c_int, "clip", "frame"), _all(_Motion, "place"),
                  _all(c_int, "force_clip", "force_frame"), _all(c_double, "force_yaw"))
_Player = _struct("_Player", _all(POINTER(_Controller), "controller"), _all(c_double * PARAMETERS_MOST, "asked"),
                  _all(c_int, "segment", "at", "piece", "within"), _all(_Motion, "ground"),
                  _all(_Moment, "now", "before"), _all(c_double, "behind"), _all(c_longlong, "n_steps"))
_Place = _struct("_Place", _all(c_double * 3, "at"), _all(c_double * 4, "turn"))


def _open():
    path = os.environ.get("MUYBRIDGE_PLAYER") or ctypes.util.find_library("muybridge-player")
    lib = ctypes.CDLL(path or "libmuybridge-player.so.0")
    for name, result, arguments in (
            ("load", POINTER(_Controller), (c_char_p, c_char_p, c_size_t)),
            ("unload", None, (POINTER(_Controller),)),
            ("init", None, (POINTER(_Player), POINTER(_Controller))),
            ("start", c_int, (POINTER(_Player), c_int, c_double, c_double, c_double)),
            ("place", c_int, (POINTER(_Player), c_double, c_double, c_double)),
            ("set", c_int, (POINTER(_Player), c_int, c_double)),
            ("set_category", c_int, (POINTER(_Player), c_int, c_char_p)),
            ("advance", c_int, (POINTER(_Player), c_double)),
            ("time", c_double, (POINTER(_Player),)),
            ("pose", None, (POINTER(_Player), POINTER(c_double))),
            ("bones", c_int, (POINTER(_Player), POINTER(_Place))),
            ("forces", c_int, (POINTER(_Player), POINTER(c_double))),
            ("contacts", c_int, (POINTER(_Player), POINTER(c_ubyte))),
            ("features", _Features, (POINTER(_Player),))):
        function = getattr(lib, "muy_player_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


_lib = _open()


def _names(array, n):
    return [array[i].decode() for i in range(n)]


class Bone:
    """A limb: name, parent (index, -1: none), at (its joint in the parent's frame), and its solid, None or "capsule",
    "box", "ellipsoid", with centre, turn (quaternion w, x, y, z) and size in the limb's frame."""

    def __init__(self, bone):
        self.name, self.parent, self.at = bone.name.decode(), bone.parent, list(bone.at)
        self.solid, self.centre = SOLIDS[bone.solid], list(bone.centre)
        self.turn, self.size = list(bone.turn), list(bone.size)


class Controller:
    """A .play file. Any number of players may share it."""

    def __init__(self, path):
        why = ctypes.create_string_buffer(300)
        self._c = _lib.muy_player_load(os.fsencode(path), why, len(why))
        if not self._c:
            raise ValueError(why.value.decode(errors="replace"))
        c = self._c.contents
        self.creature, self.dt, self.n_dofs, self.n_points = c.creature.decode(), c.dt, c.n_dofs, c.n_points
        self.dof_names, self.point_names = _names(c.dof_names, c.n_dofs), _names(c.point_names, c.n_points)
        self.gait_names = _names(c.gait_names, c.n_gaits)
        self.bones = [Bone(c.bones[i]) for i in range(c.n_bones)]
        self.parameters = {c.parameters[i].name.decode(): i for i in range(c.n_parameters)}

    def __del__(self):
        if getattr(self, "_c", None):
            _lib.muy_player_unload(self._c)


class Player:
    """A creature that moves."""

    def __init__(self, controller):
        self.controller, self._p = controller, _Player()
        _lib.muy_player_init(byref(self._p), controller._c)

    def start(self, x=0.0, y=0.0, heading=0.0, node=0):
        if not _lib.muy_player_start(byref(self._p), node, x, y, heading):
            raise ValueError("no such node, or numbers that are not finite")

    def place(self, x, y, heading):
        if not _lib.muy_player_place(byref(self._p), x, y, heading):
            raise ValueError("numbers that are not finite")

    def set(self, **asked):
        """set(direction=0.5, gait="trot")"""
        for name, value in asked.items():
            i = self.controller.parameters.get(name)
            if i is None:
                raise KeyError(f"no parameter {name!r}; there are: {', '.join(self.controller.parameters)}")
            done = (_lib.muy_player_set_category(byref(self._p), i, value.encode()) if isinstance(value, str)
                    else _lib.muy_player_set(byref(self._p), i, value))
            if not done:
                raise ValueError(f"{name} cannot be {value!r}")

    def advance(self, seconds):
        """Returns how many frames of the controller were reached."""
        n = _lib.muy_player_advance(byref(self._p), seconds)
        if n < 0:
            raise ValueError(f"cannot go on by {seconds} seconds")
        return n

    @property
    def time(self):
        return _lib.muy_player_time(byref(self._p))

    @property
    def features(self):
        """direction, torso, speed, effort, gait (index) and what the task measures."""
        return _lib.muy_player_features(byref(self._p))

    def pose(self):
        q = (c_double * self.controller.n_dofs)()
        _lib.muy_player_pose(byref(self._p), q)
        return list(q)

    def bones(self):
        """(place, quaternion w, x, y, z) of every limb, in the order of controller.bones."""
        places = (_Place * max(1, len(self.controller.bones)))()
        _lib.muy_player_bones(byref(self._p), places)
        return [(list(p.at), list(p.turn)) for p in places[:len(self.controller.bones)]]

    def forces(self):
        """Of the ground on every point, x, y, z [N]."""
        f = (c_double * (3 * max(1, self.controller.n_points)))()
        _lib.muy_player_forces(byref(self._p), f)
        return [list(f[3 * i:3 * i + 3]) for i in range(self.controller.n_points)]

    def contacts(self):
        contact = (c_ubyte * max(1, self.controller.n_points))()
        _lib.muy_player_contacts(byref(self._p), contact)
        return [bool(contact[i]) for i in range(self.controller.n_points)]


def _main(path):
    """The way around a square, as doc/examples/steer.c: a line every half second."""
    player, lines, quarter = Player(Controller(path)), 0, 1.57079632679489661923
    print(f"# {player.controller.creature}: time, x, y, heading, asked, gait")
    while player.time < 24:
        side = int(player.time / 6)
        player.set(direction=side * quarter)
        player.advance(1 / 60)
        if player.time * 2 < lines:
            continue
        now, (x, y) = player.features, player.pose()[:2]
        print("%6.2f %8.3f %8.3f %7.1f %7.1f  %s" % (player.time, x, y, now.direction * 90 / quarter,
                                                     math.remainder(side * 90, 360),
                                                     player.controller.gait_names[now.gait]))
        lines += 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: muybridge_player.py FILE.play")
    try:
        _main(sys.argv[1])
    except (KeyError, ValueError) as error:
        sys.exit(str(error.args[0]))
