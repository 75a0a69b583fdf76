import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { useCallback, useState } from 'react'
import { cx } from './cx.ts'

interface SelectProps<T extends string> {
  label: string
  /** the label is for screen readers only */
  hideLabel?: boolean
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  disabled?: boolean
  className?: string
}

/** A select with a popup list. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, hideLabel = false, value, options, onChange, disabled = false, className } = props
  const [container, setContainer] = useState<HTMLElement>()
  const findContainer = useCallback((element: HTMLElement | null) => {
    setContainer(element?.closest<HTMLElement>('[role=dialog], main') ?? undefined)
  }, [])
  return (
    // its style element would violate the content security policy
    <CSPProvider disableStyleElements>
      <Base.Root
        items={options}
        value={value}
        disabled={disabled}
        onValueChange={(next) => next !== null && onChange(next)}
      >
        <div ref={findContainer} className={cx('flex flex-col gap-1', className)}>
          <Base.Label className={hideLabel ? 'sr-only' : 'text-table font-medium text-ink'}>
            {label}
          </Base.Label>
          <Base.Trigger
            className={cx(
              'flex min-w-32 items-center justify-between gap-2 rounded-md border border-control bg-surface px-2.5',
              'text-table text-ink select-none hover:bg-hover data-disabled:opacity-60',
              hideLabel ? 'h-8' : 'h-9',
            )}
          >
            <Base.Value />
            <Base.Icon>
              <ChevronDown aria-hidden size={14} className="text-ink-3" />
            </Base.Icon>
          </Base.Trigger>
        </div>
        {/* in its landmark or dialog, so that screen readers find it there */}
        <Base.Portal container={container}>
          <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
            <Base.Popup className="appear max-h-[min(20rem,var(--available-height))] min-w-[var(--anchor-width)] overflow-y-auto rounded-md border border-line bg-raised p-1 text-ink shadow-raised outline-none">
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  className="flex h-7 cursor-default items-center gap-2 rounded px-2 text-table outline-none select-none data-highlighted:bg-hover"
                >
                  <span className="flex-1">
                    <Base.ItemText>{option.label}</Base.ItemText>
                  </span>
                  <Base.ItemIndicator>
                    <Check aria-hidden size={14} className="text-accent" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}
