"""Why a board is lost: locks and proofs as data, how they are found, and their checker."""
