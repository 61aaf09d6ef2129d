/** The buttons under blocks of code. */
export function copyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('pre > button')) {
    button.addEventListener('click', () => {
      const code = button.parentElement?.querySelector('code')?.innerText ?? '';
      void navigator.clipboard.writeText(code.trim()).then(() => {
        button.textContent = 'Copied';
      });
    });
  }
}
