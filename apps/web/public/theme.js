// Runs before the first paint: the theme chosen here, or the server's, or the system's.
;(function () {
  var chosen = null
  var followed = null
  try {
    chosen = localStorage.getItem('darkMode')
    followed = localStorage.getItem('followedTheme')
  } catch {
    // storage is forbidden: the system decides
  }
  var dark = matchMedia('(prefers-color-scheme: dark)').matches
  if (followed === 'dark' || followed === 'light') dark = followed === 'dark'
  if (chosen === 'true' || chosen === 'false') dark = chosen === 'true'
  document.documentElement.classList.toggle('dark', dark)
})()
