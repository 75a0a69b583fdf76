import { useEffect, useRef } from 'react'

interface SelectBoxProps {
  label: string
  checked: boolean
  /** some of what it stands for are */
  isPartly?: boolean
  disabled?: boolean
  tabIndex: 0 | -1
  onChange: (checked: boolean) => void
}

/** A check mark in a row, which stands in a track of its own. */
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
