import { getOidcConfig } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { LoadFailed, LoadingRows, Panel } from '../panel.tsx'
import { reasonOf } from '../reason.ts'
import { OidcSettings } from './oidc-settings.tsx'

export function OidcPanel() {
  const { isAdmin } = useSession()
  return (
    <Panel
      title="Single sign-on"
      description="Sign in with an OpenID Connect provider such as Keycloak, Authentik or Entra ID."
      flush
    >
      {isAdmin ? (
        <LoadedSettings />
      ) : (
        <div className="p-4">
          <Notice>Sign in with an administrator account to see and change single sign-on.</Notice>
        </div>
      )}
    </Panel>
  )
}

function LoadedSettings() {
  const api = useApi()
  const config = useQuery({
    queryKey: [getOidcConfig.path],
    queryFn: ({ signal }) => api.call(getOidcConfig, { signal }),
  })
  if (config.data) return <OidcSettings config={config.data} />
  if (!config.error) return <LoadingRows label="Loading single sign-on settings" />
  return (
    <LoadFailed
      title="Failed to load OIDC settings"
      reason={reasonOf(config.error)}
      onRetry={() => void config.refetch()}
    />
  )
}
