import { getUpdateCheck, type SystemSettings } from '@pulse/contract'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { storeCheck } from '../../../parts/updates/known-update.ts'
import { toast } from '../../../ui/toast.ts'
import { useSystemEdits } from './system-edits.tsx'

/** Asks now, whatever is known. Of a channel that is not saved yet nothing is kept. */
export function useForcedCheck() {
  const api = useApi()
  const { edits } = useSystemEdits()
  return useChange({
    mutationFn: (channel: SystemSettings['updateChannel']) =>
      api.call(getUpdateCheck, { query: { channel, force: 'true' } }),
    onSuccess: (info) => {
      if (edits.updateChannel === undefined) storeCheck(info, Date.now())
      if (!info.available && info.warning === undefined) toast.success('You are running the latest version.')
    },
    onError: () => toast.error('Failed to check for updates'),
  })
}
