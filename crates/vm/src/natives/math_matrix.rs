//! Matrices (`FMatrix`). The engine's vectors are rows, multiplied from the left; its rows are the
//! columns of the matrices here, so its `a * b` (first `a`) is `b * a`.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};

use super::math_vector::normal;
use super::values::{Rotator, Transform};
use super::{Native, Out};
use crate::native;

pub(super) const ROWS: &[Native] = value_rows! { "KismetMathLibrary";
    Conv_MatrixToRotator(m: DMat4) -> Rotator = Rotator::from_quat(rotation(m));
    Matrix_GetRotator(m: DMat4) -> Rotator = Rotator::from_quat(rotation(m));
    Matrix_ToQuat(m: DMat4) -> DQuat = rotation(m);
    Conv_MatrixToTransform(m: DMat4) -> Transform = transform_of(m);
    Conv_TransformToMatrix(t: Transform) -> DMat4 =
        DMat4::from_scale_rotation_translation(t.scale, t.rotation, t.translation);
    Add_MatrixMatrix(a: DMat4, b: DMat4) -> DMat4 = a + b;
    Multiply_MatrixMatrix(a: DMat4, b: DMat4) -> DMat4 = b * a;
    Multiply_MatrixFloat(a: DMat4, b: f64) -> DMat4 = a * b;
    EqualEqual_MatrixMatrix(a: DMat4, b: DMat4, tolerance: f64) -> bool = a.abs_diff_eq(b, tolerance);
    NotEqual_MatrixMatrix(a: DMat4, b: DMat4, tolerance: f64) -> bool = !a.abs_diff_eq(b, tolerance);
    Matrix_TransformPosition(m: DMat4, v: DVec3) -> DVec4 = m * v.extend(1.0);
    Matrix_TransformVector(m: DMat4, v: DVec3) -> DVec4 = m * v.extend(0.0);
    Matrix_TransformVector4(m: DMat4, v: DVec4) -> DVec4 = m * v;
    TransformVector4(m: DMat4, v: DVec4) -> DVec4 = m * v;
    Matrix_InverseTransformPosition(m: DMat4, v: DVec3) -> DVec3 = (inverse(m) * v.extend(1.0)).truncate();
    Matrix_InverseTransformVector(m: DMat4, v: DVec3) -> DVec3 = (inverse(m) * v.extend(0.0)).truncate();
    Matrix_GetInverse(m: DMat4) -> DMat4 = inverse(m);
    Matrix_GetTransposed(m: DMat4) -> DMat4 = m.transpose();
    Matrix_GetTransposeAdjoint(m: DMat4) -> DMat4 = adjoint(m);
    Matrix_GetDeterminant(m: DMat4) -> f64 = m.determinant();
    Matrix_GetRotDeterminant(m: DMat4) -> f64 = DMat3::from_mat4(m).determinant();
    Matrix_ContainsNaN(m: DMat4) -> bool = !m.is_finite();
    Matrix_GetOrigin(m: DMat4) -> DVec3 = m.w_axis.truncate();
    Matrix_GetColumn(m: DMat4, column: u8) -> DVec3 = m.row(usize::from(column.min(3))).truncate();
    Matrix_GetScaledAxis(m: DMat4, axis: u8) -> DVec3 = axis_of(m, axis);
    Matrix_GetUnitAxis(m: DMat4, axis: u8) -> DVec3 = normal(axis_of(m, axis), 1e-8);
    Matrix_GetScaleVector(m: DMat4, tolerance: f64) -> DVec3 = scale(m, tolerance);
    Matrix_GetMaximumAxisScale(m: DMat4) -> f64 = scale(m, 0.0).max_element();
    Matrix_GetMatrixWithoutScale(m: DMat4, tolerance: f64) -> DMat4 = without_scale(m, tolerance);
    Matrix_RemoveTranslation(m: DMat4) -> DMat4 = with_origin(m, DVec3::ZERO);
    Matrix_ConcatenateTranslation(m: DMat4, by: DVec3) -> DMat4 = with_origin(m, m.w_axis.truncate() + by);
    Matrix_ScaleTranslation(m: DMat4, by: DVec3) -> DMat4 = with_origin(m, m.w_axis.truncate() * by);
    Matrix_ApplyScale(m: DMat4, by: f64) -> DMat4 =
        DMat4::from_cols(m.x_axis * by, m.y_axis * by, m.z_axis * by, m.w_axis);
    Matrix_Mirror(m: DMat4, mirror: u8, flip: u8) -> DMat4 = mirrored(m, mirror, flip);
};

pub(super) const CHANGING: &[Native] = changing_rows! { "KismetMathLibrary";
    Matrix_RemoveScaling(m: DMat4, tolerance: f64) = without_scale(m, tolerance);
    Matrix_SetOrigin(m: DMat4, origin: DVec3) = with_origin(m, origin);
    Matrix_SetAxis(m: DMat4, axis: u8, value: DVec3) = with_axis(m, axis, value);
    Matrix_SetColumn(m: DMat4, column: u8, value: DVec3) = with_column(m, column, value);
};

macro_rules! frustum_plane {
    ($name:literal, $plane:expr) => {
        native!($name, |call, matrix: DMat4, out: Out<DVec4>| -> bool {
            let plane: fn(DMat4) -> DVec4 = $plane;
            let found = frustum_plane(plane(matrix));
            if let Some(plane) = found {
                call.set(out, plane);
            }
            Ok(found.is_some())
        })
    };
}

pub(super) const PARTS: &[Native] = &[
    native!(
        "KismetStringLibrary.Conv_MatrixToString",
        |m: DMat4| -> String {
            let row = |row: DVec4| {
                let parts = row.to_array().map(crate::text::general);
                format!("[{}] ", parts.join(" "))
            };
            [m.x_axis, m.y_axis, m.z_axis, m.w_axis].map(row).concat()
        }
    ),
    native!("KismetMathLibrary.Matrix_Identity", || -> DMat4 {
        DMat4::IDENTITY
    }),
    native!(
        "KismetMathLibrary.Matrix_GetScaledAxes",
        |call, m: DMat4, x: Out<DVec3>, y: Out<DVec3>, z: Out<DVec3>| {
            for (out, axis) in [(x, 1), (y, 2), (z, 3)] {
                call.set(out, axis_of(m, axis));
            }
            Ok(())
        }
    ),
    native!(
        "KismetMathLibrary.Matrix_GetUnitAxes",
        |call, m: DMat4, x: Out<DVec3>, y: Out<DVec3>, z: Out<DVec3>| {
            for (out, axis) in [(x, 1), (y, 2), (z, 3)] {
                call.set(out, normal(axis_of(m, axis), 1e-8));
            }
            Ok(())
        }
    ),
    frustum_plane!("KismetMathLibrary.Matrix_GetFrustumNearPlane", |m| {
        m.row(2)
    }),
    frustum_plane!("KismetMathLibrary.Matrix_GetFrustumFarPlane", |m| {
        m.row(3) - m.row(2)
    }),
    frustum_plane!("KismetMathLibrary.Matrix_GetFrustumLeftPlane", |m| {
        m.row(3) + m.row(0)
    }),
    frustum_plane!("KismetMathLibrary.Matrix_GetFrustumRightPlane", |m| {
        m.row(3) - m.row(0)
    }),
    frustum_plane!("KismetMathLibrary.Matrix_GetFrustumTopPlane", |m| {
        m.row(3) - m.row(1)
    }),
    frustum_plane!("KismetMathLibrary.Matrix_GetFrustumBottomPlane", |m| {
        m.row(3) + m.row(1)
    }),
];

fn axes(m: DMat4) -> [DVec3; 3] {
    [m.x_axis, m.y_axis, m.z_axis].map(DVec4::truncate)
}

/// An axis by `EAxis`: 0 is none.
fn axis_of(m: DMat4, axis: u8) -> DVec3 {
    match axis {
        1..=3 => axes(m)[usize::from(axis) - 1],
        _ => DVec3::ZERO,
    }
}

fn with_axis(mut m: DMat4, axis: u8, value: DVec3) -> DMat4 {
    if let 1..=3 = axis {
        let column = m.col_mut(usize::from(axis) - 1);
        *column = value.extend(column.w);
    }
    m
}

fn with_column(mut m: DMat4, column: u8, value: DVec3) -> DMat4 {
    let column = usize::from(column.min(3));
    m.x_axis[column] = value.x;
    m.y_axis[column] = value.y;
    m.z_axis[column] = value.z;
    m
}

fn with_origin(mut m: DMat4, origin: DVec3) -> DMat4 {
    m.w_axis = origin.extend(m.w_axis.w);
    m
}

/// The identity for a matrix that has none.
fn inverse(m: DMat4) -> DMat4 {
    if m.determinant() == 0.0 {
        DMat4::IDENTITY
    } else {
        m.inverse()
    }
}

fn adjoint(m: DMat4) -> DMat4 {
    let [x, y, z] = axes(m);
    DMat4::from_mat3(DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)))
}

/// Lengths of the axes; 0 for one whose square is within the tolerance.
fn scale(m: DMat4, tolerance: f64) -> DVec3 {
    let length = |axis: DVec3| {
        let squared = axis.length_squared();
        if squared > tolerance {
            squared.sqrt()
        } else {
            0.0
        }
    };
    DVec3::from_array(axes(m).map(length))
}

/// Axes of length 1; those whose square is within the tolerance stay.
fn without_scale(mut m: DMat4, tolerance: f64) -> DMat4 {
    for index in 0..3 {
        let axis = m.col_mut(index);
        let squared = axis.truncate().length_squared();
        if squared > tolerance {
            *axis = (axis.truncate() / squared.sqrt()).extend(axis.w);
        }
    }
    m
}

/// The rotation of the axes; none for a matrix that has lost one.
fn rotation(m: DMat4) -> DQuat {
    let axes = axes(without_scale(m, 1e-8));
    if axes.iter().any(|axis| axis.length_squared() <= 1e-8) {
        return DQuat::IDENTITY;
    }
    DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2])).normalize()
}

/// A mirroring matrix has its first scale negative.
fn transform_of(mut m: DMat4) -> Transform {
    let mut scale = scale(m, 1e-8);
    if m.determinant() < 0.0 {
        scale.x = -scale.x;
        m.x_axis = (-m.x_axis.truncate()).extend(m.x_axis.w);
    }
    Transform {
        rotation: rotation(m),
        translation: m.w_axis.truncate(),
        scale,
    }
}

fn mirrored(mut m: DMat4, mirror: u8, flip: u8) -> DMat4 {
    if let 1..=3 = mirror {
        for index in 0..4 {
            m.col_mut(index)[usize::from(mirror) - 1] *= -1.0;
        }
    }
    if let 1..=3 = flip {
        let axis = axis_of(m, flip);
        m = with_axis(m, flip, -axis);
    }
    m
}

/// A plane of a projection, facing out of it; none if its normal has no length.
fn frustum_plane(sum: DVec4) -> Option<DVec4> {
    let length = sum.truncate().length();
    let plane = sum / length;
    (length > 1e-5).then(|| (-plane.truncate()).extend(plane.w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transform_survives_its_matrix() {
        let transform = Transform {
            rotation: Rotator::new(20.0, 40.0, -30.0).quat(),
            translation: DVec3::new(1.0, 2.0, 3.0),
            scale: DVec3::new(2.0, 3.0, 4.0),
        };
        let matrix = DMat4::from_scale_rotation_translation(
            transform.scale,
            transform.rotation,
            transform.translation,
        );
        let point = DVec3::new(0.5, -1.0, 2.0);
        let by_matrix = (matrix * point.extend(1.0)).truncate();
        assert!(by_matrix.abs_diff_eq(transform.point(point), 1e-9));
        let back = transform_of(matrix);
        assert!(back.point(point).abs_diff_eq(by_matrix, 1e-9));
    }

    #[test]
    fn the_transpose_of_the_adjoint_is_the_inverse_times_the_determinant() {
        let m = DMat4::from_cols_array(&[
            2.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0, 1.0, 0.0, 4.0, 0.0, 5.0, 6.0, 7.0, 1.0,
        ]);
        let expected = DMat3::from_mat4(m).inverse() * DMat3::from_mat4(m).determinant();
        let found = DMat3::from_mat4(adjoint(m)).transpose();
        assert!(found.abs_diff_eq(expected, 1e-9));
    }
}
