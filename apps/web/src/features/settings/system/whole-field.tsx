import { type ReactNode, useState } from 'react'
import { TextField } from '../../../ui/text-field.tsx'

interface WholeFieldProps {
  label: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
  hint: ReactNode
  /** the server's objection */
  error: string | undefined
  disabled: boolean
}

/** A whole number within bounds. Ignores invalid text, and discards it on blur. */
export function WholeField({ value, min, max, onChange, error, ...field }: WholeFieldProps) {
  const [typed, setTyped] = useState<string>()
  const read = (text: string) => {
    const number = /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined
    return number !== undefined && number >= min && number <= max ? number : undefined
  }
  const isWrong = typed !== undefined && typed.trim() !== '' && read(typed) === undefined
  return (
    <TextField
      {...field}
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? String(value)}
      onChange={(text) => {
        setTyped(text)
        const number = read(text)
        if (number !== undefined) onChange(number)
      }}
      onBlur={() => setTyped(undefined)}
      error={isWrong ? `Enter a whole number from ${min} to ${max}.` : error}
    />
  )
}
