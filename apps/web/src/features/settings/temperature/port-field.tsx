import { useState } from 'react'
import { TextField } from '../../../ui/text-field.tsx'

interface PortFieldProps {
  node: string
  port: number
  disabled: boolean
  onChange: (port: number) => void
}

/** Saved when it is left, or with Enter. */
export function PortField({ node, port, disabled, onChange }: PortFieldProps) {
  const [typed, setTyped] = useState<string>()
  const wanted = Number(typed ?? port)
  const valid = Number.isInteger(wanted) && wanted >= 1 && wanted <= 65_535
  const save = () => {
    if (typed === undefined || !valid) return
    setTyped(undefined)
    if (wanted !== port) onChange(wanted)
  }
  return (
    <TextField
      label="SSH port"
      aria-label={`SSH port of ${node}`}
      value={typed ?? String(port)}
      onChange={setTyped}
      error={valid ? undefined : '1 to 65535'}
      disabled={disabled}
      inputMode="numeric"
      onBlur={save}
      onKeyDown={({ key }) => key === 'Enter' && save()}
      className="w-24"
    />
  )
}
