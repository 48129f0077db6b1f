"""The screens of the workbench, one file each; they draw and decide nothing."""
