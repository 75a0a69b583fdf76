const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign]!)

/** A page that works without scripts and loads no files. */
const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>` +
  `<body><h1>${escaped(title)}</h1>${body}</body></html>`

export const loginPage = (action: string, problem?: string): string =>
  page(
    'Lab sign-in',
    `${problem ? `<p role="alert">${escaped(problem)}</p>` : ''}
    <form method="post" action="${escaped(action)}">
      <p><label>Username <input name="username" autocomplete="username" required autofocus></label></p>
      <p><label>Password <input name="password" type="password" autocomplete="current-password" required></label></p>
      <p><button type="submit" name="answer" value="sign-in">Sign in</button>
      <button type="submit" name="answer" value="cancel" formnovalidate>Cancel</button></p>
    </form>`,
  )

/** The provider generates the form, with its state. */
export const logoutPage = (form: string): string =>
  page(
    'Lab sign-out',
    `${form}<p><button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
    <button type="submit" form="op.logoutForm">Stay signed in</button></p>`,
  )

export const notePage = (title: string, text: string): string => page(title, `<p>${escaped(text)}</p>`)
