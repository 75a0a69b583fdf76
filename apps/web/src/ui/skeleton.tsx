import { cx } from './cx.ts'

/** Stands where something will be, in its size. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('skeleton block', className)} />
}
