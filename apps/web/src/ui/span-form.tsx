import { type FormEvent, useState } from 'react'
import { readSpan, toFieldText } from '../lib/time-fields.ts'
import type { Span } from '../lib/times.ts'
import { Button } from './button.tsx'
import { TextField } from './text-field.tsx'

/** Date and time of both ends of a span. */
export function SpanForm({ span, onChoose }: { span: Span; onChoose: (span: Span) => void }) {
  const [from, setFrom] = useState(() => toFieldText(span.from))
  const [to, setTo] = useState(() => toFieldText(span.to))
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readSpan(from, to)
    setProblem(typeof read === 'string' ? read : undefined)
    if (typeof read !== 'string') onChoose(read)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <TextField
        label="From"
        type="datetime-local"
        value={from}
        onChange={setFrom}
        className="w-52 max-sm:w-full"
      />
      <TextField
        label="To"
        type="datetime-local"
        value={to}
        onChange={setTo}
        error={problem}
        className="w-52 max-sm:w-full"
      />
      <Button type="submit" className="h-9">
        Show
      </Button>
    </form>
  )
}
