import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

type Variant = 'primary' | 'secondary' | 'ghost'

const variantClass: Record<Variant, string> = {
  primary: 'bg-accent-fill text-white hover:brightness-110',
  secondary: 'border border-control bg-surface text-ink hover:bg-hover',
  ghost: 'text-ink-2 hover:bg-hover hover:text-ink',
}

export const buttonClass = (variant: Variant = 'secondary', className?: string) =>
  cx(
    'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md px-3 text-table font-medium',
    'whitespace-nowrap select-none disabled:opacity-50',
    variantClass[variant],
    className,
  )

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant
}

export function Button({ variant, className, type = 'button', ...props }: ButtonProps) {
  return <button type={type} className={buttonClass(variant, className)} {...props} />
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  label: string
}

/** A square icon button. */
export function IconButton({ label, className, type = 'button', ...props }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink',
        className,
      )}
      {...props}
    />
  )
}
