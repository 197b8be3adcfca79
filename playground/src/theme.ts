// Runs before anything is painted, so that the page never flashes in the other theme.

const kept = (() => {
  try {
    return localStorage.getItem('jsonseam-theme');
  } catch {
    return null;
  }
})();
document.documentElement.dataset['theme'] = kept ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
