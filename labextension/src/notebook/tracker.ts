/** Given on, so that no room but this one imports JupyterLab's notebook. */
export { INotebookTracker } from '@jupyterlab/notebook';
