# The rooms of the compiled core, lowest first; each cimports only from those before it.
#
#   bits clock outcomes position keys shuffle unseen
#   what proves a position lost: spaces, kings, twins, closure
#   best-first search: table, reductions, search
#   learning search: moved, blame, nogoods
#   why it is lost: scene, bars, locks, arguments, reasons, written, proofs
#   answers: line, settle, batches, ratings, advice, samples
