/* DART as a peer, as a user of DART would build the creature: one body per limb, and the joint that fits.
 *
 * Revolute for one axis, universal for two, Euler for three that are perpendicular (any three else: revolute and
 * universal with a body of hardly any mass between). The root slides on a translational joint and turns on an Euler
 * joint, with such a body between: a free joint would spare it, but its velocities are not the rates of our q. */
#include <cmath>
#include <string>
#include <vector>

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/EulerJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/TranslationalJoint.hpp>
#include <dart/dynamics/UniversalJoint.hpp>

#include "bench/peer.h"

namespace {

using namespace dart::dynamics;
using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Engine {
  SkeletonPtr skeleton = Skeleton::create("creature");
  std::vector<std::size_t> order; // its dof of each of ours
  bool same_order = true;
  Eigen::VectorXd q, v, a;
};

Vector3d vector(const double *x) { return Vector3d(x[0], x[1], x[2]); }

// DART warns of bodies without mass: this one has next to none.
BodyNode::Properties nothing(const std::string &name, const struct creature *c)
{
  BodyNode::Properties p(BodyNode::AspectProperties{name});
  const double mass = 1e-16 * c->mass;
  p.mInertia = Inertia(mass, Vector3d::Zero(), mass * c->height * c->height * Matrix3d::Identity());
  return p;
}

// From moments about the origin to DART's inertia about the centre of mass.
BodyNode::Properties body(const std::string &name, const struct dof *d)
{
  BodyNode::Properties p(BodyNode::AspectProperties{name});
  const double *J = d->moment2;
  const Vector3d com = vector(d->moment1) / d->mass;
  Matrix3d C;
  C << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
  C -= d->mass * com * com.transpose();
  p.mInertia = Inertia(d->mass, com, C.trace() * Matrix3d::Identity() - C);
  return p;
}

template <class J>
typename J::Properties named(const typename J::Properties &from, const struct dof *d, std::size_t n)
{
  typename J::Properties p(from);
  p.mName = std::string(d[0].name) + " joint";
  for (std::size_t i = 0; i < n; i++) {
    p.mDofNames[i] = d[i].name;
    p.mPreserveDofNames[i] = true;
  }
  p.mT_ParentBodyToJoint.translation() = vector(d[0].offset);
  return p;
}

BodyNode *add_revolute(Engine &e, BodyNode *parent, const struct dof *d, const BodyNode::Properties &b)
{
  RevoluteJoint::Properties p;
  p.mAxis = vector(d[0].axis);
  return e.skeleton->createJointAndBodyNodePair<RevoluteJoint>(parent, named<RevoluteJoint>(p, d, 1), b).second;
}

BodyNode *add_universal(Engine &e, BodyNode *parent, const struct dof *d, const BodyNode::Properties &b)
{
  UniversalJoint::Properties p;
  p.mAxis[0] = vector(d[0].axis);
  p.mAxis[1] = vector(d[1].axis);
  return e.skeleton->createJointAndBodyNodePair<UniversalJoint>(parent, named<UniversalJoint>(p, d, 2), b).second;
}

// Three perpendicular axes are x, y, z of some frame when they are right-handed, and z, y, x of another when they
// are not.
BodyNode *add_euler(Engine &e, BodyNode *parent, const struct dof *d, const BodyNode::Properties &b)
{
  EulerJoint::Properties p;
  Matrix3d frame;
  frame << vector(d[0].axis), vector(d[1].axis), vector(d[2].axis);
  p.mAxisOrder = EulerJoint::AxisOrder::XYZ;
  if (frame.determinant() < 0) {
    frame.col(0).swap(frame.col(2));
    p.mAxisOrder = EulerJoint::AxisOrder::ZYX;
  }
  p.mT_ParentBodyToJoint.linear() = frame;
  p.mT_ChildBodyToJoint.linear() = frame;
  return e.skeleton->createJointAndBodyNodePair<EulerJoint>(parent, named<EulerJoint>(p, d, 3), b).second;
}

bool perpendicular(const struct dof *d)
{
  Matrix3d frame;
  frame << vector(d[0].axis), vector(d[1].axis), vector(d[2].axis);
  return (frame.transpose() * frame - Matrix3d::Identity()).norm() < 1e-14;
}

BodyNode *add_limb(Engine &e, BodyNode *parent, const struct creature *c, const struct limb *l)
{
  const struct dof *d = &c->dofs[l->first_dof];
  const BodyNode::Properties b = body(l->name, &c->dofs[l->body]);
  const int n = l->n_dofs;
  if (l->parent < 0)
    return add_euler(e, parent, d + 3, b);
  if (n == 1)
    return add_revolute(e, parent, d, b);
  if (n == 2)
    return add_universal(e, parent, d, b);
  if (perpendicular(d))
    return add_euler(e, parent, d, b);
  parent = add_revolute(e, parent, d, nothing(std::string(d[0].name) + " body", c));
  return add_universal(e, parent, d + 1, b);
}

void add_bodies(Engine &e, const struct creature *c)
{
  std::vector<BodyNode *> carrier(static_cast<std::size_t>(c->n_dofs), nullptr);
  carrier[2] = e.skeleton->createJointAndBodyNodePair<TranslationalJoint>(
      nullptr, named<TranslationalJoint>(TranslationalJoint::Properties(), c->dofs, 3), nothing("slides", c)).second;
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    const int parent = l->parent < 0 ? 2 : c->dofs[l->first_dof].parent;
    if (l->n_dofs > 0)
      carrier[static_cast<std::size_t>(l->body)] = add_limb(e, carrier[static_cast<std::size_t>(parent)], c, l);
  }
}

void give(const Engine &e, const double *ours, Eigen::VectorXd &theirs)
{
  if (e.same_order)
    theirs = Eigen::Map<const Eigen::VectorXd>(ours, theirs.size());
  else
    for (std::size_t i = 0; i < e.order.size(); i++)
      theirs[static_cast<Eigen::Index>(e.order[i])] = ours[i];
}

void inverse(void *model, const double *q, const double *v, const double *a, double *tau)
{
  Engine &e = *static_cast<Engine *>(model);
  give(e, q, e.q);
  give(e, v, e.v);
  give(e, a, e.a);
  e.skeleton->setPositions(e.q);
  e.skeleton->setVelocities(e.v);
  e.skeleton->setAccelerations(e.a);
  e.skeleton->computeInverseDynamics(false, false, false);
  for (std::size_t i = 0; i < e.order.size(); i++)
    tau[i] = e.skeleton->getForce(e.order[i]);
}

void mass_matrix(void *model, const double *q)
{
  Engine &e = *static_cast<Engine *>(model);
  give(e, q, e.q);
  e.skeleton->setPositions(e.q);
  e.skeleton->getMassMatrix();
}

void read_mass_matrix(void *model, double *M)
{
  Engine &e = *static_cast<Engine *>(model);
  const Eigen::MatrixXd &from = e.skeleton->getMassMatrix();
  for (std::size_t i = 0; i < e.order.size(); i++)
    for (std::size_t k = 0; k < e.order.size(); k++)
      M[i * e.order.size() + k] = from(static_cast<Eigen::Index>(e.order[i]), static_cast<Eigen::Index>(e.order[k]));
}

void clear(void *model) { delete static_cast<Engine *>(model); }

} // namespace

extern "C" struct peer peer_dart(const struct creature *c)
{
  Engine *e = new Engine;
  e->skeleton->setGravity(Vector3d(0, 0, -CREATURE_GRAVITY));
  add_bodies(*e, c);
  e->q = e->v = e->a = Eigen::VectorXd::Zero(c->n_dofs);
  for (int i = 0; i < c->n_dofs; i++) {
    e->order.push_back(e->skeleton->getDof(c->dofs[i].name)->getIndexInSkeleton());
    e->same_order = e->same_order && e->order.back() == static_cast<std::size_t>(i);
  }
  return {"DART", e, inverse, mass_matrix, read_mass_matrix, clear};
}
