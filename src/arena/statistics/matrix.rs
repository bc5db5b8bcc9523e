//! Matrix product and pseudo-inverse, for the covariance of ratings.

/// Square matrix, row by row.
pub(super) type Matrix = Vec<Vec<f64>>;

/// Returns the pseudo-inverse of the Laplacian of a connected graph with positive weights.
///
/// The pseudo-inverse inverts the Laplacian on vectors with sum 0, and maps constant vectors to 0.
/// A multiple of the all-ones matrix is added. It changes the image of constant vectors only.
/// The sum is positive definite, so Gauss-Jordan elimination needs no pivoting.
pub(super) fn pseudo_inverse(mut laplacian: Matrix) -> Matrix {
    let n = laplacian.len() as f64;
    let trace: f64 = (0..laplacian.len()).map(|at| laplacian[at][at]).sum();
    let scale = trace / n;
    add_to_all(&mut laplacian, scale / n);
    let mut inverse = inverse(laplacian);
    add_to_all(&mut inverse, -1.0 / (scale * n));
    inverse
}

fn add_to_all(matrix: &mut Matrix, term: f64) {
    for entry in matrix.iter_mut().flatten() {
        *entry += term;
    }
}

/// Returns the inverse of a positive definite matrix, by Gauss-Jordan elimination in place.
fn inverse(mut matrix: Matrix) -> Matrix {
    for pivot in 0..matrix.len() {
        let scale = 1.0 / matrix[pivot][pivot];
        matrix[pivot][pivot] = 1.0;
        for entry in &mut matrix[pivot] {
            *entry *= scale;
        }
        let pivot_row = matrix[pivot].clone();
        for (at, row) in matrix.iter_mut().enumerate() {
            if at != pivot {
                let factor = std::mem::take(&mut row[pivot]);
                for (entry, term) in row.iter_mut().zip(&pivot_row) {
                    *entry -= factor * term;
                }
            }
        }
    }
    matrix
}

/// Returns the product of two square matrices of the same size.
pub(super) fn product(one: &Matrix, other: &Matrix) -> Matrix {
    let row_times_other = |row: &Vec<f64>| {
        let column = |at: usize| row.iter().zip(other).map(|(a, b)| a * b[at]).sum();
        (0..row.len()).map(column).collect()
    };
    one.iter().map(row_times_other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Laplacian L of a triangle with equal weights w has the pseudo-inverse L / (3w)².
    #[test]
    fn triangle_has_the_known_pseudo_inverse() {
        let w = 5.0;
        let laplacian = vec![
            vec![2.0 * w, -w, -w],
            vec![-w, 2.0 * w, -w],
            vec![-w, -w, 2.0 * w],
        ];
        let inverse = pseudo_inverse(laplacian.clone());
        // The product is the identity on vectors with sum 0.
        let back = product(&inverse, &laplacian);
        for (at, row) in back.iter().enumerate() {
            for (column, entry) in row.iter().enumerate() {
                let expected = f64::from(u8::from(at == column)) - 1.0 / 3.0;
                assert!((entry - expected).abs() < 1e-12);
            }
        }
        for (row, expected) in inverse.iter().zip(&laplacian) {
            for (entry, expected) in row.iter().zip(expected) {
                assert!((entry - expected / (9.0 * w * w)).abs() < 1e-15);
            }
        }
    }
}
