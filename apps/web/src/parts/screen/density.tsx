import { Rows3, Rows4 } from 'lucide-react'
import { usePreference } from '../../lib/storage.ts'
import { useTextScale } from '../../lib/text-scale.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'

const heights = { comfortable: 32, dense: 28 } as const

/** px of a row with columns */
export function useRowHeight(): number {
  return Math.round(heights[usePreference('rowDensity')[0]] * useTextScale())
}

/** px of a row of two lines */
export const usePhoneRowHeight = (): number => Math.round(56 * useTextScale())

/** Dense or comfortable rows. */
export function DensityToggle({ className }: { className?: string }) {
  const [density, setDensity] = usePreference('rowDensity')
  const dense = density === 'dense'
  const Icon = dense ? Rows4 : Rows3
  return (
    <IconButton
      label="Dense rows"
      aria-pressed={dense}
      className={cx(dense && 'bg-accent-soft text-accent', className)}
      onClick={() => setDensity(dense ? 'comfortable' : 'dense')}
    >
      <Icon aria-hidden size={15} />
    </IconButton>
  )
}
