import { getOidcConfig } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { OidcSettings } from './oidc-settings.tsx'

export function OidcPanel() {
  const { isAdmin } = useSession()
  return (
    <div className="max-w-[720px]">
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
    </div>
  )
}

function LoadedSettings() {
  const api = useApi()
  const config = useQuery({
    queryKey: [getOidcConfig.path],
    queryFn: ({ signal }) => api.call(getOidcConfig, { signal }),
  })
  return (
    <Loaded query={config} what="OIDC settings">
      {(data) => <OidcSettings config={data} />}
    </Loaded>
  )
}
