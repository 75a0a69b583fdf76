import { cx } from './cx.ts'

/** A placeholder in the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('skeleton block', className)} />
}
