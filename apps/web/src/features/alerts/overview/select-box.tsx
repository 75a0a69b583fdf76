import { useEffect, useRef } from 'react'

interface SelectBoxProps {
  label: string
  checked: boolean
  /** some of the rows it covers are selected */
  isPartly?: boolean
  disabled?: boolean
  tabIndex: 0 | -1
  onChange: (checked: boolean) => void
}

/** A checkbox in a row, in its own track. */
export function SelectBox({
  label,
  checked,
  isPartly = false,
  disabled = false,
  tabIndex,
  onChange,
}: SelectBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    box.current!.indeterminate = isPartly
  }, [isPartly])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      tabIndex={tabIndex}
      onChange={(event) => onChange(event.target.checked)}
      className="check ml-1"
    />
  )
}
