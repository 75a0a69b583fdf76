import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

/** A surface above the page. */
export function Card({ className, ...props }: ComponentProps<'section'>) {
  return <section className={cx('rounded-lg border border-line bg-surface', className)} {...props} />
}
