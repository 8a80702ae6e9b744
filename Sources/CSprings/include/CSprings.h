// The loops of the spring bank, in C because only there one program can carry them for several processors: each is
// compiled for 128, 256 and 512 bits, and the loader picks. All give the same bits, for no product is fused with a sum.
//
// A column holds one number of each row. Rows of several lanes have a column for each lane, `stride` numbers apart.
#pragma once

#include <stddef.h>

/// Multiplies displacement and velocity of each row by the matrix (uu vu; uv vv).
void springs_step(
    double *restrict displacements, double *restrict velocities, size_t count, double uu, double vu, double uv,
    double vv);

/// Multiplies displacement and velocity of each row by its own matrix: uu, vu, uv and vv are the first four columns of
/// `laws`.
void springs_step_own(
    double *restrict displacements, double *restrict velocities, size_t count, const double *restrict laws,
    size_t stride);

/// Moves each row under its constant acceleration; a velocity that fades becomes zero before it is denormal.
void springs_drive(
    double *restrict values, double *restrict velocities, const double *restrict accelerations, size_t count,
    double vu, double vv, double au);

/// The least of the rows' doubled energies, velocity² + stiffness·displacement² summed over 1 to 4 lanes.
///
/// Infinite without rows. What is not a number does not count.
double springs_least_energy(
    const double *displacements, const double *velocities, size_t stride, size_t lanes, size_t count,
    double stiffness);

/// The least difference between a row's doubled energy and its bound, where each row has a stiffness and a bound.
///
/// It is below zero if and only if some energy is below its bound. An energy beyond all numbers counts as the largest.
double springs_least_margin(
    const double *displacements, const double *velocities, size_t stride, size_t lanes, size_t count,
    const double *stiffnesses, const double *bounds);
