import { getOidcConfig } from '@pulse/contract'
import { useSession } from '../../../api/session.tsx'
import { useAnswer } from '../../../api/use-answer.ts'
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
  const config = useAnswer(getOidcConfig)
  return (
    <Loaded query={config} what="OIDC settings">
      {(data) => <OidcSettings config={data} />}
    </Loaded>
  )
}
