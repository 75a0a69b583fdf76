import { useLiveEvent } from '../live/use-live.ts'
import { toast } from '../ui/toast.ts'
import { takeTheme } from './theme.ts'

const autoRegisteredMs = 8_000

/** What live events mean on every page. */
export function useShellEvents(): void {
  useLiveEvent('node_auto_registered', ({ data }) => {
    const host = data.name || data.host
    toast.success(
      `node "${host}" was successfully auto-registered and is now being monitored!`,
      autoRegisteredMs,
    )
  })
  useLiveEvent('settingsUpdate', ({ data }) => {
    if (data.theme !== undefined) takeTheme(data.theme)
  })
}
