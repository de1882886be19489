// A node for Godot 4 that plays a controller of Muybridge: a GDExtension, with godot-cpp. README.md says how to build
// it.
//
//     var horse = MuybridgeCreature.new()
//     horse.file = "res://horse.play"
//     add_child(horse)
//     horse.ask("direction", 1.57)    # every frame, or whenever it changes; gaits by name: horse.ask("gait", "trot")
//
// Limbs become children with meshes of their shapes; hide them (meshes = false) and take bone_transform("head") to
// move a mesh of your own.
#include <godot_cpp/classes/box_mesh.hpp>
#include <godot_cpp/classes/capsule_mesh.hpp>
#include <godot_cpp/classes/file_access.hpp>
#include <godot_cpp/classes/mesh_instance3d.hpp>
#include <godot_cpp/classes/node3d.hpp>
#include <godot_cpp/classes/sphere_mesh.hpp>
#include <godot_cpp/core/class_db.hpp>
#include <godot_cpp/godot.hpp>
#include <vector>

#include "muybridge-player.h"

using namespace godot;

namespace {

// Muybridge has x forward, y left, z up; Godot has -z forward, x right, y up.
const Basis to_godot(Vector3(0, 0, -1), Vector3(-1, 0, 0), Vector3(0, 1, 0));

Vector3 vector(const double *v) { return Vector3(v[0], v[1], v[2]); }
Basis turned(const double *t) { return Basis(Quaternion(t[1], t[2], t[3], t[0])); }

// A solid's mesh. Godot's capsules lie along y, ours along z.
Ref<Mesh> mesh_of(const muy_player_bone &bone, Basis &own) {
  own = Basis();
  if (bone.solid == MUY_PLAYER_CAPSULE) {
    Ref<CapsuleMesh> capsule;
    capsule.instantiate();
    capsule->set_radius(bone.size[0] / 2);
    capsule->set_height(bone.size[2]);
    own = Basis(Vector3(1, 0, 0), 1.5707963267948966);
    return capsule;
  }
  if (bone.solid == MUY_PLAYER_BOX) {
    Ref<BoxMesh> box;
    box.instantiate();
    box->set_size(vector(bone.size));
    return box;
  }
  Ref<SphereMesh> sphere; // radius 0.5, height 1
  sphere.instantiate();
  own = Basis().scaled(vector(bone.size));
  return sphere;
}

} // namespace

class MuybridgeCreature : public Node3D {
  GDCLASS(MuybridgeCreature, Node3D)

  String file;
  bool meshes = true;
  muy_player_controller *controller = nullptr;
  muy_player player;
  std::vector<muy_player_place> places;
  std::vector<MeshInstance3D *> limbs; // of each bone, nullptr if it has no shape
  std::vector<Transform3D> solids;     // of their meshes, in the bones' frames

  void load() {
    char why[200];
    PackedByteArray bytes = FileAccess::get_file_as_bytes(file);
    controller = muy_player_load_memory(bytes.ptr(), bytes.size(), why, sizeof why);
    ERR_FAIL_NULL_MSG(controller, file + String(": ") + String(why));
    places.resize(controller->n_bones);
    limbs.assign(controller->n_bones, nullptr);
    solids.resize(controller->n_bones);
    muy_player_init(&player, controller);
    for (int i = 0; meshes && i < controller->n_bones; i++) {
      const muy_player_bone &bone = controller->bones[i];
      if (bone.solid == MUY_PLAYER_NO_SOLID)
        continue;
      limbs[i] = memnew(MeshInstance3D);
      limbs[i]->set_name(bone.name);
      Basis own;
      limbs[i]->set_mesh(mesh_of(bone, own));
      solids[i] = Transform3D(turned(bone.turn) * own, vector(bone.centre));
      add_child(limbs[i]);
    }
  }

  Transform3D world(int i) const {
    return Transform3D(to_godot * turned(places[i].turn), to_godot.xform(vector(places[i].at)));
  }

protected:
  static void _bind_methods() {
    ClassDB::bind_method(D_METHOD("set_file", "path"), &MuybridgeCreature::set_file);
    ClassDB::bind_method(D_METHOD("get_file"), &MuybridgeCreature::get_file);
    ClassDB::bind_method(D_METHOD("set_meshes", "wanted"), &MuybridgeCreature::set_meshes);
    ClassDB::bind_method(D_METHOD("get_meshes"), &MuybridgeCreature::get_meshes);
    ClassDB::bind_method(D_METHOD("ask", "parameter", "value"), &MuybridgeCreature::ask);
    ClassDB::bind_method(D_METHOD("bone_transform", "name"), &MuybridgeCreature::bone_transform);
    ADD_PROPERTY(PropertyInfo(Variant::STRING, "file", PROPERTY_HINT_FILE, "*.play"), "set_file", "get_file");
    ADD_PROPERTY(PropertyInfo(Variant::BOOL, "meshes"), "set_meshes", "get_meshes");
  }

public:
  ~MuybridgeCreature() { muy_player_unload(controller); }

  void set_file(const String &path) { file = path; }
  String get_file() const { return file; }
  void set_meshes(bool wanted) { meshes = wanted; }
  bool get_meshes() const { return meshes; }

  void _ready() override { load(); }

  void _process(double seconds) override {
    if (!controller)
      return;
    muy_player_advance(&player, MIN(seconds, 0.1));
    muy_player_bones(&player, places.data());
    for (size_t i = 0; i < limbs.size(); i++)
      if (limbs[i])
        limbs[i]->set_transform(world((int)i) * solids[i]);
  }

  // A number, or the name of a category. False if there is no such parameter or value.
  bool ask(const String &parameter, const Variant &value) {
    int i = controller ? muy_player_find(controller, parameter.utf8().get_data()) : -1;
    if (value.get_type() == Variant::STRING)
      return muy_player_set_category(&player, i, String(value).utf8().get_data());
    return i >= 0 && muy_player_set(&player, i, value);
  }

  // Of a limb's frame, in this node. At zero angles all frames are parallel to Muybridge's axes.
  Transform3D bone_transform(const String &name) const {
    for (int i = 0; controller && i < controller->n_bones; i++)
      if (name == String(controller->bones[i].name))
        return world(i);
    return Transform3D();
  }
};

extern "C" GDExtensionBool GDE_EXPORT muybridge_init(GDExtensionInterfaceGetProcAddress address,
                                                     GDExtensionClassLibraryPtr library,
                                                     GDExtensionInitialization *initialization) {
  GDExtensionBinding::InitObject init(address, library, initialization);
  init.register_initializer([](ModuleInitializationLevel level) {
    if (level == MODULE_INITIALIZATION_LEVEL_SCENE)
      ClassDB::register_class<MuybridgeCreature>();
  });
  init.set_minimum_library_initialization_level(MODULE_INITIALIZATION_LEVEL_SCENE);
  return init.init();
}
