import { getTemperatureScript } from '@pulse/contract'
import { Download } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { ApiError } from '../../../api/request.ts'
import { useChange } from '../../../api/use-change.ts'
import { downloadText } from '../../../lib/download.ts'
import { readText } from '../../../parts/setup/credentials-file.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'

const file = 'pulse-temperature-setup.sh'

/** How to prepare a node for sensor access. */
export function TemperatureScript() {
  const [from, setFrom] = useState('')
  const script = useScript()
  const problem = isAboutInput(script.error) ? script.error.message : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    script.mutate(from)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 border-t border-line p-4">
      <p className="text-table text-ink-2">
        {'Run this script as root on every node that is switched on, then check the nodes: '}
        <code className="font-mono text-xs text-ink">{`sh ${file}`}</code>
        {'. With --remove it undoes everything.'}
      </p>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="Only from these addresses (optional)"
          value={from}
          onChange={(text) => {
            setFrom(text)
            script.reset()
          }}
          error={problem}
          hint="Where Pulse connects from, as the nodes see it. Separated by commas; subnets are allowed."
          placeholder="192.0.2.10, 192.0.2.0/24"
          spellCheck={false}
          autoComplete="off"
          className="max-w-md flex-1 basis-72"
        />
        <Button type="submit" disabled={script.isPending} className="h-9 sm:mt-6">
          <Download aria-hidden size={14} />
          {script.isPending ? 'Downloading...' : 'Download setup script'}
        </Button>
      </div>
    </form>
  )
}

function useScript() {
  const api = useApi()
  return useChange({
    mutationFn: async (from: string) => {
      const ranges = from.split(/[\s,]+/).filter((range) => range !== '')
      const query = ranges.length > 0 ? `?${new URLSearchParams({ from: ranges.join(',') })}` : ''
      return readText(await api.send(getTemperatureScript.path + query))
    },
    onSuccess: (text) => downloadText(file, text),
    onError: (error) => {
      if (!isAboutInput(error)) toast.error('Failed to download script. Please check your connection.')
    },
  })
}

const isAboutInput = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.status === 400
