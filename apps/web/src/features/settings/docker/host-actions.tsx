import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { failureText, removeHost, toastMs, unhideHost } from './host-calls.ts'
import type { Host } from './hosts.ts'
import { removalText } from './stop-state.ts'

interface HostActionsProps {
  host: Host
  onRemove: (host: Host) => void
}

export function HostActions({ host, onRemove }: HostActionsProps) {
  const { name, hidden, isOnline, phase } = host
  const api = useApi()
  const change = useChange({
    mutationFn: async ({ id }: Host) => {
      if (hidden) await unhideHost(api, id)
      else await removeHost(api, id, 'hide')
    },
    onSuccess: () => toast.success(`${hidden ? 'Unhidden' : 'Hidden'} Docker host ${name}`, toastMs.done),
    onError: (error) =>
      toast.error(
        failureText(hidden ? 'Failed to unhide Docker host' : 'Failed to hide Docker host', error),
        toastMs.failed,
      ),
  })
  const removal = removalText(isOnline, phase)
  const hiding = hidden ? 'Unhide' : 'Hide'
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5 sm:flex-nowrap">
      <Button
        variant="ghost"
        aria-label={`${hiding} ${name}`}
        disabled={change.isPending}
        onClick={() => change.mutate(host)}
      >
        {hiding}
      </Button>
      <Button aria-label={`${removal} ${name}`} onClick={() => onRemove(host)} className="text-red">
        {removal}
      </Button>
    </span>
  )
}
