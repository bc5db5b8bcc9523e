//! Matrix product and pseudo-inverse, for the covariance of ratings.

/// Square matrix, row by row.
pub(super) type Matrix = Vec<Vec<f64>>;

/// Returns the pseudo-inverse of the Laplacian of a connected graph with positive weights.
///
/// The pseudo-inverse inverts the Laplacian on vectors with sum 0, and maps constant vectors to 0.
/// The function first adds a multiple of the all-ones matrix, which changes only the image of
/// constant vectors. The sum is positive definite, so Gauss-Jordan elimination needs no pivoting.
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
