/** On a narrow screen the menu is beside the page, and this opens it; without a script it is a link to the list. */
export function phoneMenu(): void {
  const opener = document.getElementById('tsd-toolbar-menu-trigger');
  const menu = document.querySelector<HTMLElement>('.col-sidebar');
  if (opener === null || menu === null) return;
  const show = (open: boolean): void => {
    document.documentElement.classList.toggle('has-menu', open);
    opener.setAttribute('aria-expanded', String(open));
  };
  opener.setAttribute('role', 'button');
  show(false);
  opener.addEventListener('click', (event) => {
    event.preventDefault();
    show(true);
    menu.querySelector('a')?.focus();
  });
  opener.addEventListener('keydown', (event) => {
    if (event.key === ' ') {
      event.preventDefault();
      opener.click();
    }
  });
  const close = (): void => {
    if (!document.documentElement.classList.contains('has-menu')) return;
    show(false);
    opener.focus();
  };
  document.querySelector('.overlay')?.addEventListener('click', close);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  menu.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') !== null) show(false);
  });
}
